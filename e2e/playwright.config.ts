import { existsSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'
import type { Options } from './fixtures/test'

const debian = '/usr/bin/chromium-headless-shell'
const browser = process.env.CHROMIUM ?? (existsSync(debian) ? debian : '')

// Every worker runs the built binary on a data folder of its own. The specs run on SQLite; those marked @both run on
// PostgreSQL as well.
export default defineConfig<Options>({
  testDir: '.',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  // A test waits now and then: for a toast to go, for a letter. A third worker fills the two cores meanwhile.
  workers: 3,
  // A test that fails now and then has found something: it is looked into, not tried again.
  retries: 0,
  // Only so that a run ends: a busy machine may take long over anything.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['html', { outputFolder: 'report', open: 'never' }]],
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1440, height: 900 },
    // A test gets the browser as new, but for what is cached of the app itself: that saves two fifths of the time.
    reuseContext: true,
    screenshot: 'only-on-failure',
    // Software draws every frame of a movement. The phone keeps them, as do the tests in which they matter.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Chromium without its windows and tabs, which take a quarter of the time that the pages take: Debian's, or where
      // there is none the one that Playwright has installed.
      ...(browser ? { executablePath: browser } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--in-process-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    { name: 'sqlite', use: { database: 'sqlite' } },
    { name: 'postgres', use: { database: 'postgres' }, grep: /@both/ },
    // What a visitor or learner does, once more at the width of a phone: a selection, and all of it in `make faults`.
    {
      name: 'phone',
      grep: process.env.E2E === 'all' ? /./ : /@both/,
      use: {
        database: 'sqlite',
        viewport: { width: 390, height: 844 },
        contextOptions: { reducedMotion: 'no-preference' },
      },
      testMatch:
        /(home|course|search|saved|waitlist|workshop|passkey|codes|guest|learn|teach|certificate|discuss|quiz|review)\.spec\.ts/,
    },
  ],
})
