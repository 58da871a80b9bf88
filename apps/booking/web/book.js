import { bookingFlow } from './booking-flow.js'
import { addressSteps } from './steps.js'
import { applyBrand, createUi, readPage } from './ui.js'

const page = readPage()
const ui = createUi(page)
applyBrand(document.documentElement, page.link.brand.primaryColor)
document.getElementById('content').replaceChildren(ui.said, bookingFlow(ui, { link: page.link, steps: addressSteps() }))
