import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// The reporter of failures wants what Node 20 does not have yet.
Map.groupBy ??= <K, T>(items: Iterable<T>, key: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>()
  let index = 0
  for (const item of items) {
    const name = key(item, index++)
    groups.set(name, [...(groups.get(name) ?? []), item])
  }
  return groups
}

export default defineConfig({
  plugins: [react()],
  resolve: {
    alias: {
      '@test': at('./test'),
      '@': at('./src'),
      'react-remove-scroll': at('./src/ui/scroll-lock.tsx'),
      // Its other half speaks through Node.
      'tus-js-client': at('./node_modules/tus-js-client/lib.esm/browser/index.js'),
      'decode-named-character-reference': at('./src/ui/entities.ts'),
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://localhost:8080/' } },
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // A page is left as it was found (test/setup.ts), so one document serves all files: a quarter of the time.
    isolate: false,
    // A busy machine with two cores is no failure.
    testTimeout: 30_000,
  },
})
