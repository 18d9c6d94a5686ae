// Whether what moves moves 60 times a second on a phone: node frames.mjs [RUNS [PART OF A NAME]]
// A frame is lost when nothing new was drawn in its time. The same movement on a page without an app (bare.mjs), in turns
// with ours, says how many of them the machine loses by itself. Beside it stands what the page's own work could take from
// a movement: its longest turn and its layouts meanwhile. How a turn is measured: trace.mjs.
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { bareOf } from './bare.mjs'
import { isTakenOver, newPhone, openBrowser, settled } from './phone.mjs'
import { middle, rendered, startSite } from './site.mjs'
import { pageOf, record, sum, turnsOf } from './trace.mjs'

const [runs = 5, wanted = ''] = process.argv.slice(2)
const frame = 1000 / 60
/** What we hold: a fifth more than on the bare page and one frame in twenty for noise, and no turn that a press would feel. */
const limits = { lost: (bare) => 1.2 * bare + 0.05, longest: 50 }

const tap = (selector) => async (page) => {
  const target = await page.waitForSelector(selector, { visible: true })
  await target.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await settled(page)
  return () => target.tap()
}

const swipe = (xDistance, yDistance) => async (page) => {
  const cdp = await page.createCDPSession()
  // A browser without a window takes the touch of this command for a pointer that moves, and scrolls nothing.
  const gesture = { x: 300, y: 600, xDistance, yDistance, speed: 1200, gestureSourceType: 'mouse' }
  return () => cdp.send('Input.synthesizeScrollGesture', gesture)
}

const swipeRow = (selector) => async (page) => {
  await page.evaluate(
    (row) => document.querySelector(row).scrollIntoView({ block: 'end', behavior: 'instant' }),
    selector,
  )
  await settled(page)
  return swipe(-900, 0)(page)
}

// What moves: on which page, what is done there and on the bare page, and the animation that follows, by its name in the
// style sheet ('' for one that a script makes), with its ms.
const movements = [
  ['the home page is scrolled', 'home', swipe(0, -2400), swipe(0, -2400)],
  ['a row is swiped', 'home', swipeRow('#trending'), swipeRow('section:nth-of-type(3)')],
  ['a card becomes its course page', 'home', tap('#trending article a'), tap('section:nth-of-type(3) img'), '', 300],
  ['a dialog grows from its button', 'home', tap('main button::-p-text(More Info)'), tap('#open'), 'sheet-up', 280],
  ['a heart beats', 'home', tap('#trending button[aria-pressed=false]'), tap('#heart'), 'beat', 420],
  ['the share menu opens', 'course', tap('main button::-p-text(Share)'), tap('#send'), 'rise', 160],
]

const isDispatch = (types) => (event) => event.name === 'EventDispatch' && types.includes(event.args.data?.type)

/** From when to when it moves, in µs; undefined where a crowded machine lost part of the recording. */
function spanOf(events, animation, ms) {
  if (animation === undefined) {
    const scrolls = events.filter(
      ({ args }) => args.frame_reporter && args.frame_reporter.scroll_state !== 'SCROLL_NONE',
    )
    const times = scrolls.map(({ ts }) => ts).toSorted((a, b) => a - b)
    return times.length > 1 ? [times[0], times.at(-1)] : undefined
  }
  const isIt = ({ name, ph, args }) => name === 'Animation' && ph === 'b' && args.data.displayName === animation
  const asked = events.find(isIt)
  // It begins with the picture that it is first seen in, which may be a long turn after it was asked for.
  const isRunning = ({ name, ph, id2, pid }) =>
    name === 'Animation' && ph === 'n' && pid === asked?.pid && id2?.local === asked?.id2?.local
  const start = asked && (events.find(isRunning) ?? asked).ts
  return start && [start, start + ms * 1000]
}

async function move(page, work, animation, ms) {
  const events = await record(page, async () => {
    await work()
    if (animation !== undefined) await pause(ms + 1200)
  })
  const span = spanOf(events, animation, ms)
  return span && measure(events, ...span)
}

function measure(events, start, end) {
  const page = pageOf(events)
  const within = ({ ts }) => ts >= start && ts < end
  const drawn = events.filter((event) => event.name === 'DrawFrame' && event.pid === page[0].pid && within(event))
  const moving = turnsOf(events).filter(within)
  const pressed = page.find(isDispatch(['pointerover', 'pointerdown', 'touchstart']))?.ts ?? start
  const frames = (end - start) / 1000 / frame
  return {
    delay: sum(turnsOf(events).map(({ ts, ms }) => (ts >= pressed - 5000 && ts < start ? ms : 0))),
    lost: Math.max(0, Math.floor(frames) - drawn.length) / frames,
    longest: Math.max(0, ...moving.map(({ ms }) => ms)),
    layouts: page.filter((event) => event.name === 'Layout' && within(event)).length,
  }
}

const site = await startSite()
const browser = await openBrowser()
let failed = false

/** One run on a new page; nothing of what came before is in its way. */
async function run(open, prepare, animation) {
  const page = await newPhone(browser, site.url, { session, line: null, cpu: 1 })
  await open(page)
  await page.waitForNetworkIdle({ idleTime: 300 })
  const measured = await move(page, await prepare(page), ...animation)
  await page.browserContext().close()
  return measured
}

const session = await site.signUp()
try {
  const paths = { home: '/', course: site.course }
  for (const path of Object.values(paths)) await rendered(site.url + path)
  const first = await newPhone(browser, site.url, { line: null, cpu: 1 })
  const html = await bareOf(first, site.url, site.course)
  await first.browserContext().close()
  const openBare = async (page) => {
    await page.setBypassCSP(true)
    await page.goto(`${site.url}/robots.txt`)
    await page.setContent(html)
  }
  console.log(`frames on a phone, ${runs} runs each, load ${loadavg()[0].toFixed(1)}; ours / bare page`)
  for (const [name, path, prepare, prepareBare, ...animation] of movements.filter(([name]) => name.includes(wanted))) {
    const openOurs = async (page) => {
      await page.goto(site.url + paths[path])
      await page.waitForFunction(isTakenOver)
    }
    const found = { ours: [], bare: [] }
    for (let round = 0; round < runs; round++) {
      found.ours.push(await run(openOurs, prepare, animation))
      found.bare.push(await run(openBare, prepareBare, animation))
    }
    const [ours, bare] = [found.ours, found.bare].map((all) => all.filter(Boolean))
    if (ours.length === 0 || bare.length === 0) {
      console.log(`${name}: no recording had it`)
      continue
    }
    const of = (key, all) => middle(all.map((one) => one[key]))
    const both = (key, show) => `${show(of(key, ours))} / ${show(of(key, bare))}`
    const whole = (figure) => figure.toFixed(0)
    const mean = (all) => sum(all.map(({ lost }) => lost)) / all.length
    const [lost, limit] = [mean(ours), mean(bare)]
    const before = animation.length > 0 ? `, begins after ${both('delay', whole)} ms of work` : ''
    console.log(
      `${name}: ${whole(lost * 100)} / ${whole(limit * 100)} % of frames lost, longest turn ${both('longest', whole)} ms, ` +
        `${both('layouts', whole)} layouts${before} (${ours.length}, ${bare.length} runs)`,
    )
    failed ||= lost > limits.lost(limit) || of('longest', ours) > limits.longest
  }
} finally {
  await browser.close()
  await site.stop()
}
process.exit(failed ? 1 : 0)
