// The first visit of every page on a phone with a slow line: node vitals.mjs [RUNS]
// LCP, CLS and the INP of a first press, the kilobytes that came by type, and how many requests stood before the first
// content; as the rows of a table. The slow line makes a visit long, so each is bounded.
import { cpus, loadavg } from 'node:os'
import { isTakenOver, newPhone, openBrowser, settled } from './phone.mjs'
import { middle, rendered, startSite } from './site.mjs'
import { interactionsOf, record } from './trace.mjs'

const runs = Number(process.argv[2] ?? 3)
const wanted = { lcp: 1800, cls: 0.02 }
const kinds = ['Document', 'Script', 'Font', 'Image', 'Fetch']
const longest = 40_000

const open = ['/', 'course', '/search?q=film', '/trending', '/auth', '/contact', '/help-center', '/investor-relations']
open.push('/sponsorships', '/privacy-policy', '/terms-and-conditions', '/nowhere')
const personal = ['/my-list', '/waitlist', '/account', '/settings', '/recommendations', '/admin']

function listen(cdp) {
  const requests = new Map()
  cdp.on('Network.requestWillBeSent', ({ requestId, type, timestamp }) => requests.set(requestId, { type, timestamp }))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) =>
    Object.assign(requests.get(requestId) ?? {}, { bytes: encodedDataLength, came: timestamp }),
  )
  return requests
}

/** The first thing of the page that can be pressed, in its content or in the bar. */
async function press(page) {
  for (const place of ['main', 'header']) {
    for (const control of await page.$$(`${place} :is(button, input, select, textarea):not(:disabled)`)) {
      if (!(await control.isVisible())) continue
      await control.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
      await control.tap()
      return settled(page)
    }
  }
}

/** Turns count by their processor time, fourfold (trace.mjs), so the browser itself is not slowed down for it. */
async function firstPress(page) {
  await page.emulateCPUThrottling(1)
  const presses = interactionsOf(await record(page, () => press(page)))
  return Math.max(0, ...presses.map(({ ms }) => ms))
}

async function visit(browser, site, path, session) {
  const page = await newPhone(browser, site.url, { session })
  page.setDefaultTimeout(longest)
  try {
    const cdp = await page.createCDPSession()
    await cdp.send('Network.enable')
    const requests = listen(cdp)
    await page.goto(site.url + path)
    await page.waitForFunction(isTakenOver)
    // Five seconds after its start a page brings in the pictures that lie far below: they are no part of the visit.
    await page.waitForNetworkIdle({ idleTime: 500, timeout: 2000 }).catch(() => undefined)
    const { lcp, cls, fcp } = await page.evaluate(() => ({
      ...window.vitals,
      fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    }))
    const all = [...requests.values()]
    const start = Math.min(...all.map(({ timestamp }) => timestamp))
    const bytes = kinds.map((kind) => all.reduce((sum, one) => sum + (one.type === kind ? (one.bytes ?? 0) : 0), 0))
    const before = all.filter(({ came }) => (came - start) * 1000 < fcp).length
    return { lcp, cls, fcp, bytes, before, inp: await firstPress(page) }
  } finally {
    await page.browserContext().close()
  }
}

/** One row of the table, and whether it is as it should be. */
async function measure(browser, site, path, session) {
  const found = []
  for (let run = 0; run < runs; run++) {
    // On a crowded machine a visit may not come to its end.
    const one = await visit(browser, site, path, session).catch(({ message }) => console.error(`${path}: ${message}`))
    if (one) found.push(one)
  }
  if (found.length === 0) return { row: '– | – | – | – | – | –', isFine: false }
  // The quickest, for what else the machine does only ever adds; of shifts and requests the most.
  const [lcp, fcp] = ['lcp', 'fcp'].map((key) => Math.min(...found.map((one) => one[key])))
  const [cls, before] = ['cls', 'before'].map((key) => Math.max(...found.map((one) => one[key])))
  const inp = middle(found.map((one) => one.inp))
  const bytes = found[0].bytes.map((count) => (count / 1000).toFixed(0)).join(' · ')
  const seconds = [fcp, lcp].map((ms) => `${(ms / 1000).toFixed(1)} s`).join(' | ')
  return {
    row: `${seconds} | ${cls.toFixed(3)} | ${inp.toFixed(0)} ms | ${bytes} | ${before}`,
    // On a shared machine the clock proves little; a shift of the layout is one everywhere.
    isFine: cls <= wanted.cls && lcp <= 2 * wanted.lcp,
  }
}

const site = await startSite()
const browser = await openBrowser()
let failed = false
try {
  const session = await site.signUp(true)
  const day = new Date().toISOString().slice(0, 10)
  console.log(
    `\`node bench/vitals.mjs ${runs}\`, ${day}, ${cpus()[0].model}, ${cpus().length} cores, load ${loadavg()[0].toFixed(1)}.\n`,
  )
  console.log(`| page | FCP | LCP | CLS | INP of a press | kB: ${kinds.join(' · ')} | requests before content |`)
  console.log('|---|---|---|---|---|---|---|')
  for (const path of [...open, ...personal]) {
    const address = path === 'course' ? site.course : path
    if (open.includes(path)) await rendered(site.url + address)
    const { row, isFine } = await measure(browser, site, address, personal.includes(path) ? session : undefined)
    console.log(`| ${path} | ${row} |`)
    failed ||= !isFine
  }
} finally {
  await browser.close()
  await site.stop()
}
process.exit(failed ? 1 : 0)
