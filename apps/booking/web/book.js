import { bookingFlow } from './booking-flow.js'
import { applyBrand, avatarOf, createUi, readPage } from './ui.js'

const page = readPage()
const ui = createUi(page)
applyBrand(document.documentElement, page.primaryColor)
const avatar = avatarOf(page)
if (avatar) document.querySelector('.facts').before(avatar)
document.getElementById('content').replaceChildren(ui.said, bookingFlow(ui, page))
