import { bookingFlow } from './booking-flow.js'
import { applyBrand, createUi, readPage } from './ui.js'

const page = readPage()
const ui = createUi(page)
applyBrand(document.documentElement, page.primaryColor)
document.getElementById('content').replaceChildren(ui.said, bookingFlow(ui, page))
