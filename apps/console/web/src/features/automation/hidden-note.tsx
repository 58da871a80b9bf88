/** A note in place of data that the person may not see. */
export function HiddenNote() {
  return <p role="note">What went in and came out is kept from you: you may not see a record in it.</p>
}
