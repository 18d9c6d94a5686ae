// The first visit of every page on a phone with a slow line: node vitals.mjs [RUNS]
// LCP and CLS, the kilobytes that came by type, and how many requests stood before the first content.
import { loadavg } from 'node:os'
import { isTakenOver, newPhone, openBrowser } from './phone.mjs'
import { rendered, startSite } from './site.mjs'

const runs = Number(process.argv[2] ?? 3)
const wanted = { lcp: 1800, cls: 0.02 }
const kinds = ['Document', 'Script', 'Font', 'Image', 'Fetch']

const open = ['/', 'course', '/search?q=film', '/trending', '/auth', '/contact', '/help-center', '/investor-relations']
open.push('/sponsorships', '/privacy-policy', '/terms-and-conditions', '/nowhere')
const personal = ['/my-list', '/waitlist', '/account', '/settings', '/recommendations', '/admin']

async function visit(browser, site, path, session) {
  const page = await newPhone(browser, site.url, { session })
  const cdp = await page.createCDPSession()
  await cdp.send('Network.enable')
  const requests = new Map()
  cdp.on('Network.requestWillBeSent', ({ requestId, type, timestamp }) => requests.set(requestId, { type, timestamp }))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) =>
    Object.assign(requests.get(requestId) ?? {}, { bytes: encodedDataLength, came: timestamp }),
  )
  await page.goto(site.url + path)
  await page.waitForFunction(isTakenOver)
  await page.waitForNetworkIdle({ idleTime: 500 })
  const { lcp, cls, fcp } = await page.evaluate(() => ({
    ...window.vitals,
    fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }))
  const all = [...requests.values()]
  const start = Math.min(...all.map(({ timestamp }) => timestamp))
  const bytes = kinds.map(
    (kind) => all.reduce((sum, { type, bytes = 0 }) => sum + (type === kind ? bytes : 0), 0) / 1000,
  )
  await page.browserContext().close()
  return { lcp, cls, fcp, bytes, before: all.filter(({ came }) => (came - start) * 1000 < fcp).length }
}

const site = await startSite()
const browser = await openBrowser()
let failed = false
try {
  const session = await site.signUp(true)
  console.log(`first visits on a phone, ${runs} runs each, load ${loadavg()[0].toFixed(1)}; kB: ${kinds.join(', ')}`)
  for (const path of [...open, ...personal]) {
    const address = path === 'course' ? site.course : path
    if (open.includes(path)) await rendered(site.url + address)
    const found = []
    for (let run = 0; run < runs; run++)
      found.push(await visit(browser, site, address, personal.includes(path) ? session : undefined))
    // The quickest, for what else the machine does only ever adds; of shifts and requests the most.
    const [lcp, fcp] = ['lcp', 'fcp'].map((key) => Math.min(...found.map((one) => one[key])))
    const [cls, before] = ['cls', 'before'].map((key) => Math.max(...found.map((one) => one[key])))
    const bytes = found[0].bytes.map((kilo) => kilo.toFixed(0)).join(', ')
    console.log(
      `${path}: FCP ${fcp.toFixed(0)} ms, LCP ${lcp.toFixed(0)} ms, CLS ${cls.toFixed(3)}, ${before} requests before content; ${bytes}`,
    )
    // On a shared machine the clock proves little; a shift of the layout is one everywhere.
    failed ||= cls > wanted.cls || lcp > 2 * wanted.lcp
  }
} finally {
  await browser.close()
  await site.stop()
}
process.exit(failed ? 1 : 0)
