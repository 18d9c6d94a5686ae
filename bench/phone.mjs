// A phone as Lighthouse imagines one: 390 points wide, a fourth of this machine's processor, and where it is asked for the
// line of a slow 4G connection.
import { existsSync } from 'node:fs'
import puppeteer from 'puppeteer-core'

const shell = '/usr/bin/chromium-headless-shell'

// The shell is Chromium without its windows, whose own work on a small machine stands in the page's way and is counted as
// the page's. CHROMIUM=/usr/bin/chromium measures with them.
export const executablePath = process.env.CHROMIUM ?? (existsSync(shell) ? shell : '/usr/bin/chromium')
export const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']

export const openBrowser = () => puppeteer.launch({ executablePath, args })

const slow4G = { latency: 562.5, download: (1474.56 * 1024) / 8, upload: (675 * 1024) / 8 }

/** A new visitor: nothing is cached and nobody signed in, or the given session is there. */
export async function newPhone(browser, url, { session, line = slow4G, cpu = 4 } = {}) {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2, isMobile: true, hasTouch: true })
  if (session) {
    await page.goto(`${url}/robots.txt`)
    await page.evaluate((value) => localStorage.setItem('sb-greenroom-auth-token', value), session)
  }
  await page.evaluateOnNewDocument(watch)
  await page.emulateCPUThrottling(cpu)
  if (line) await page.emulateNetworkConditions(line)
  return page
}

// Runs in the page.
function watch() {
  window.vitals = { lcp: 0, cls: 0, interactions: {} }
  const observe = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
  observe('largest-contentful-paint', ({ startTime }) => (vitals.lcp = startTime))
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) vitals.cls += value
  })
  const interaction = ({ interactionId, duration, name }) => {
    if (interactionId && duration >= (vitals.interactions[interactionId]?.duration ?? 0))
      vitals.interactions[interactionId] = { duration, name }
  }
  observe('event', interaction, { durationThreshold: 16 })
}

/** Whether the app has taken over what can be pressed. Runs in the page. */
export const isTakenOver = () => {
  const pressed = [...document.querySelectorAll('#root > *, #root :is(a, button, input)')]
  return pressed.length > 0 && pressed.every((one) => Object.keys(one).some((key) => key.startsWith('__reactFiber')))
}

/** Two frames on, what was pressed has been answered on the screen. */
export const settled = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))
