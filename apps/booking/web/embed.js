// <script type="module" src="https://…/book/embed.js"></script> and <booking-widget slug="intro-call"></booking-widget>.
// Attributes: `slug`, and `lang` for another language than the workspace's. The event `booked` carries the booking.
import { bookingFlow } from './booking-flow.js'
import { ownSteps } from './steps.js'
import { applyBrand, createUi, element, Refusal } from './ui.js'

const origin = new URL(import.meta.url).origin

/** Without a connection the server's texts are missing; these are the only ones left. */
const withoutTexts = { language: 'en', texts: { offline: 'There is no connection. Please try again.' } }
const readTexts = (path) => readJson(path).catch(() => withoutTexts)

const readJson = async (path) => (await fetch(origin + path, { credentials: 'omit' })).json()

class BookingWidget extends HTMLElement {
  static observedAttributes = ['slug', 'lang']

  connectedCallback() {
    if (!this.shadowRoot) this.attachShadow({ mode: 'open' })
    void this.show()
  }

  attributeChangedCallback(_name, before) {
    if (before !== null && this.isConnected) void this.show()
  }

  async show() {
    const slug = this.getAttribute('slug') ?? ''
    const link = await readJson(`/api/public/booking/${encodeURIComponent(slug)}`).catch(() => ({
      success: false,
      error: { code: 'OFFLINE' },
    }))
    const { language, texts } = await readTexts(
      `/book/assets/texts/${encodeURIComponent(this.getAttribute('lang') || link.data?.locale || 'en')}.json`,
    )
    const styles = element('link', { rel: 'stylesheet', href: `${origin}/book/assets/page.css` })
    if (!link.success)
      return this.shadowRoot.replaceChildren(
        styles,
        element('p', { class: 'said bad', role: 'status' }, new Refusal(link.error, texts).message),
      )
    const { brand, timeFormat } = link.data
    const ui = createUi({ texts, language, timeFormat, origin, level: 2 })
    applyBrand(this, brand.primaryColor)
    const onBooked = (booking) =>
      this.dispatchEvent(new CustomEvent('booked', { detail: booking, bubbles: true, composed: true }))
    this.shadowRoot.replaceChildren(
      styles,
      element(
        'div',
        // All languages of the pages are written from left to right, whatever the website around them is.
        { class: 'widget', lang: language, dir: 'ltr' },
        ui.said,
        // The website shows its own brand.
        bookingFlow(ui, { link: { ...link.data, brand: undefined, slug }, steps: ownSteps(), onBooked }),
      ),
    )
  }
}

customElements.define('booking-widget', BookingWidget)
