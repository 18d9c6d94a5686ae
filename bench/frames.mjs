// Whether what moves can move 60 times a second on a phone: node frames.mjs [RUNS]
// What the page's main thread does before a movement begins is its delay; a turn after that which takes longer than a frame
// (16.7 ms) keeps frames from being drawn. How a turn is measured: trace.mjs.
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { isTakenOver, newPhone, openBrowser, settled } from './phone.mjs'
import { middle, rendered, startSite } from './site.mjs'
import { record, sum, turnsOf } from './trace.mjs'

const runs = Number(process.argv[2] ?? 5)
const frame = 1000 / 60
/** More than this is no noise: every second frame of a movement lost. */
const most = 0.5

const tap = (selector) => async (page) => {
  const target = await page.waitForSelector(selector, { visible: true })
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await settled(page)
  return () => target.tap()
}

const swipe = (xDistance, yDistance) => async (page) => {
  const cdp = await page.createCDPSession()
  const gesture = { x: 300, y: 600, xDistance, yDistance, speed: 1200, gestureSourceType: 'touch' }
  return () => cdp.send('Input.synthesizeScrollGesture', gesture)
}

const swipeRow = async (page) => {
  await page.evaluate(() => document.querySelector('#trending').scrollIntoView({ block: 'end', behavior: 'instant' }))
  await settled(page)
  return swipe(-900, 0)(page)
}

// What moves: on which page, what is done, and the animation that follows, by its name in the style sheet ('' for one that a
// script makes), with its ms.
const movements = [
  ['the home page is scrolled', 'home', swipe(0, -2400)],
  ['a row is swiped', 'home', swipeRow],
  ['a card becomes its course page', 'home', tap('#trending article a'), '', 300],
  ['a dialog grows from its button', 'home', tap('main button::-p-text(More Info)'), 'sheet-up', 280],
  ['a heart beats', 'home', tap('#trending button[aria-pressed=false]'), 'beat', 420],
  ['the share menu opens', 'course', tap('main button::-p-text(Share)'), 'rise', 160],
]

async function move(page, work, animation, moves = 0) {
  let lasted = 0
  const events = await record(page, async () => {
    const began = performance.now()
    await work()
    lasted = performance.now() - began
    if (animation !== undefined) await pause(moves + 1200)
  })
  return measure(events, animation, moves || lasted)
}

function measure(events, animation, moves) {
  const turns = turnsOf(events)
  const isIt = ({ name, ph, args }) => name === 'Animation' && ph === 'b' && args.data.displayName === animation
  const start = animation !== undefined ? events.find(isIt)?.ts : turns[0].ts
  // On a crowded machine the browser may lose part of its recording.
  if (start === undefined) return undefined
  const moving = turns.filter(({ ts }) => ts >= start && ts < start + moves * 1000).map(({ ms }) => ms)
  return {
    delay: sum(turns.filter(({ ts }) => ts < start).map(({ ms }) => ms)),
    lost: sum(moving.map((ms) => Math.floor(ms / frame))) / (moves / frame),
    longest: Math.max(0, ...moving),
  }
}

const site = await startSite()
const browser = await openBrowser()
let failed = false
try {
  const session = await site.signUp()
  const paths = { home: '/', course: site.course }
  for (const path of Object.values(paths)) await rendered(site.url + path)
  console.log(`frames on a phone, ${runs} runs each, load ${loadavg()[0].toFixed(1)}`)
  for (const [name, path, prepare, ...animation] of movements) {
    const found = []
    for (let run = 0; run < runs; run++) {
      const page = await newPhone(browser, site.url, { session, line: null, cpu: 1 })
      await page.goto(site.url + paths[path])
      await page.waitForFunction(isTakenOver)
      await page.waitForNetworkIdle({ idleTime: 300 })
      const work = await prepare(page)
      const measured = await move(page, work, ...animation)
      if (measured) found.push(measured)
      await page.browserContext().close()
    }
    if (found.length === 0) {
      console.log(`${name}: no recording had it`)
      continue
    }
    const [delay, lost, longest] = ['delay', 'lost', 'longest'].map((key) => middle(found.map((one) => one[key])))
    const before = animation.length > 0 ? `begins after ${delay.toFixed(0)} ms of work, ` : ''
    console.log(
      `${name}: ${before}${(lost * 100).toFixed(0)} % of frames lost, longest turn ${longest.toFixed(0)} ms (${found.length} runs)`,
    )
    failed ||= lost > most
  }
} finally {
  await browser.close()
  await site.stop()
}
process.exit(failed ? 1 : 0)
