// What a press costs on every journey of the product, on a phone: node journeys.mjs [RUNS] [JOURNEY]
// INP: the slowest press of a journey, from the finger to the next picture (trace.mjs).
import { loadavg } from 'node:os'
import { isTakenOver, newPhone, openBrowser } from './phone.mjs'
import { middle, startSite } from './site.mjs'
import { interactionsOf, record } from './trace.mjs'

const runs = Number(process.argv[2] ?? 3)
const only = process.argv[3]
const wanted = 100
/** On a shared machine a middle figure twice as high is still no proof. */
const most = 2 * wanted

/** Nothing moves but what moves without end. Runs in the page. */
const isStill = () =>
  document
    .getAnimations()
    .every(({ effect, playState }) => playState !== 'running' || !Number.isFinite(effect.getComputedTiming().endTime))

/** Hands on a page: each waits for what it touches, and for the page to have answered the last touch. */
function hands(page, site) {
  const calm = async () => {
    await page.waitForNetworkIdle({ idleTime: 150 })
    await page.waitForFunction(isStill)
  }
  const find = async (selector) => {
    const target = await page.waitForSelector(selector, { visible: true })
    await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    return target
  }
  return {
    open: async (path) => {
      await page.goto(site.url + path)
      await page.waitForFunction(isTakenOver)
      await calm()
    },
    tap: async (selector) => {
      // What was found may be drawn anew before it is touched.
      await (await find(selector)).tap().catch(async () => (await find(selector)).tap())
      await calm()
    },
    type: async (selector, text) => {
      await (await find(selector)).tap()
      await page.keyboard.type(text, { delay: 30 })
      await calm()
    },
  }
}

const button = (text) => `main button::-p-text(${text})`
const inDialog = (text) => `[role=dialog] button::-p-text(${text})`

const journeys = {
  'look around': async ({ open, tap }) => {
    await open('/')
    await tap('[role=tab]::-p-text(AI Tools)')
    await tap('[role=tab]::-p-text(All)')
    await tap('#trending article a')
    await tap('header a[href="/"]')
  },
  search: async ({ open, tap, type }) => {
    await open('/')
    await tap('header a[href="/search"]')
    await type('main input[type=search]', 'film')
    await tap('main article a')
  },
  share: async ({ open, tap }, { course }) => {
    await open(course)
    await tap(button('Share'))
    await tap('[role=menuitem]::-p-text(Copy link)')
  },
  save: async ({ open, tap }) => {
    await open('/')
    await tap('#trending button[aria-pressed=false]')
    await tap('#trending button[aria-pressed=true]')
  },
  'join a waitlist': async ({ open, tap }, { course }) => {
    await open('/trending')
    await tap(button('Join Waitlist'))
    await open(course)
    await tap(button('Waitlist'))
  },
  'register for the workshop': async ({ open, tap, type }) => {
    await open('/')
    await tap(button('More Info'))
    await tap(inDialog('Register Now'))
    await type('[role=dialog] input[name=name]', 'Mara')
    await type('[role=dialog] input[name=email]', 'mara@example.com')
    await tap('[role=dialog] button[type=submit]')
  },
  'recommend a course': async ({ open, type, tap }) => {
    await open('/recommendations')
    await type('main input[name=course_title], main form input', 'Voices')
    await tap('main form button[type=submit]')
  },
  'write to us': async ({ open, type, tap }) => {
    await open('/contact')
    await type('main form textarea', 'When does it open?')
    await tap('main form button[type=submit]')
  },
  'change the password': async ({ open, type }) => {
    await open('/settings')
    await type('main input[type=password]', 'velvet curtain')
  },
  administer: async ({ open, tap }) => {
    await open('/admin')
    await tap(button('Add Course'))
    await tap('[role=tab]::-p-text(Waitlist)')
    await tap('[role=tab]::-p-text(Inquiries)')
  },
}

const site = await startSite()
const browser = await openBrowser()
let failed = false
try {
  const session = await site.signUp(true)
  console.log(`INP of journeys on a phone, ${runs} runs each, load ${loadavg()[0].toFixed(1)}`)
  for (const [name, walk] of Object.entries(journeys)) {
    if (only && name !== only) continue
    const found = []
    for (let run = 0; run < runs; run++) {
      const page = await newPhone(browser, site.url, { session, line: null, cpu: 1 })
      const presses = interactionsOf(await record(page, () => walk(hands(page, site), site)))
      found.push(Math.max(...presses.map(({ ms }) => ms)))
      await page.browserContext().close()
    }
    const inp = middle(found)
    console.log(`${name}: INP ${inp.toFixed(0)} ms${inp > wanted ? `, more than ${wanted}` : ''}`)
    failed ||= inp > most
  }
} finally {
  await browser.close()
  await site.stop()
}
process.exit(failed ? 1 : 0)
