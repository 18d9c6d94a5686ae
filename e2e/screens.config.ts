import config from './playwright.config'

// Not a test: `make screens` takes the pictures of docs/screens with the same fixtures.
export default {
  ...config,
  testMatch: 'screens.ts',
  reporter: 'line',
  projects: [{ name: 'sqlite', use: { database: 'sqlite' as const } }],
}
