import { dateOrders, isDate, isMoment, readDay, readInstant } from '@crm/tables/dates'

/** Returns a day in the form of the API where a text means one day only; any other text as it is. */
export function dayOf(text: string): string {
  return isDate(text) ? onlyReading(text, (order) => readDay(text, order)) : text
}

/** Returns a moment in the form of the API where a text means one moment only; any other text as it is. */
export function momentOf(text: string): string {
  if (!isMoment(text)) return text
  return onlyReading(text, (order) => {
    const [here, elsewhere] = ['UTC', 'Asia/Tokyo'].map((zone) => readInstant(text, order, zone))
    // A clock of no zone shows another moment in each.
    return here && elsewhere && 'value' in here && 'value' in elsewhere && here.value === elsewhere.value ? here : {}
  })
}

/** The reading in every order of day and month that there is; the text itself where they differ. */
function onlyReading(text: string, read: (order: (typeof dateOrders)[number]) => object): string {
  const values = dateOrders.map(read).flatMap((reading) => ('value' in reading ? [String(reading.value)] : []))
  return new Set(values).size === 1 ? (values[0] ?? text) : text
}
