import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// The page's content policy allows no style element made by a script, so what such packages
// would inject stands in our own style sheet instead (the toaster imports its own).
const noInjectedStyles: Plugin = {
  name: 'no-injected-styles',
  enforce: 'pre',
  transform(code, id) {
    if (!id.includes('/sonner/dist/index')) return
    const without = code.replace(/^__insertCSS\(.*\);?$/m, '')
    if (without === code) this.error('sonner no longer injects its styles this way: look at it again')
    return { code: without, map: null }
  },
}

// The router names its components with assignments, which keeps all of them in the bundle. Only
// those that are used should stay (about 5 kB).
const onlyUsedRouterParts = (): Plugin => {
  const patches = [
    { from: /^\w+\.displayName = ".*";$/gm, to: '', fits: 0 },
    { from: /= (React[\w$]*\.(?:forwardRef|memo|createContext)\()/g, to: '= /* @__PURE__ */ $1', fits: 0 },
  ]
  return {
    name: 'only-used-router-parts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/react-router\/dist\/[a-z]+\/lib\//.test(id)) return
      let patched = code
      for (const patch of patches) {
        patch.fits += code.match(patch.from)?.length ?? 0
        patched = patched.replace(patch.from, patch.to)
      }
      return { code: patched, map: null }
    },
    buildEnd() {
      for (const { from, fits } of patches)
        if (fits === 0) this.error(`nothing in react-router fits ${from} any more: look at it again`)
    },
  }
}

const backend = process.env.DEV_SERVER ?? 'http://localhost:8080'

// With hot reload the page comes from Vite, so its settings are taken out of a page of the server.
const settingsFromServer: Plugin = {
  name: 'settings-from-server',
  apply: 'serve',
  async transformIndexHtml(html) {
    const page = await fetch(`${backend}/privacy-policy`).then((answer) => answer.text())
    const found = /<script type="application\/json" id="greenroom">(.*?)<\/script>/s.exec(page)
    if (!found?.[1]) throw new Error(`no settings in the page of ${backend}: is the server running?`)
    const { settings } = JSON.parse(found[1])
    const json = JSON.stringify({ settings, state: null }).replaceAll('<', '\\u003c')
    return html.replace('<!--state-->', `<script type="application/json" id="greenroom">${json}</script>`)
  },
}

const absent = at('./src/entry-server/absent.ts')

// A render is one synchronous call: what the browser loads later never shows in it, nor does a style sheet.
const nothingLater: Plugin = {
  name: 'nothing-later',
  enforce: 'pre',
  resolveDynamicImport: () => absent,
  resolveId: (source) => (source.endsWith('.css') ? absent : undefined),
}

const alias = {
  '@': at('./src'),
  // Its scroll lock writes a style element; ours sets an attribute that the style sheet knows.
  'react-remove-scroll': at('./src/ui/scroll-lock.tsx'),
  // It decodes names by writing markup into the document, or from a list of all that there are.
  'decode-named-character-reference': at('./src/ui/entities.ts'),
}

// By name, because a module that only later pages share would otherwise come with the first one.
const ofEveryPage = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|react-router|clsx|class-variance-authority)/',
    'node_modules/@tanstack/[a-z-]+/build/modern/(?!infiniteQueryO|queriesObserver|useQueries|useInfinite)',
    'src/startup/(?!release)',
    'src/lib/(?!functions|auth-|password|download|debounced|require-session|inquiry|ago|own-|draft|kept|uuid|name)',
    'src/ui/(button|icon|icon-button|link|skeleton|error-state|toast|spinner)\\.tsx',
  ].join('|'),
)

const client: UserConfig = {
  plugins: [noInjectedStyles, onlyUsedRouterParts(), settingsFromServer, react(), tailwindcss()],
  resolve: { alias },
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    manifest: true,
    sourcemap: false,
    modulePreload: {
      polyfill: false,
      // What is fetched along with a page is named on every first one. What that has brought itself, and the page, which
      // is asked for by name, need not be; and account, settings, the desks and what comes last on the home page ask for their parts themselves.
      resolveDependencies: (file, parts, { hostType }) => {
        if (hostType === 'html') return parts
        const isDesk =
          /\/(account|admin|certificate|contact|continue-learning|help-center|investor-relations|recommendations|reset-password|settings|sponsorships|teach)-/.test(
            file,
          )
        const isThere = (part: string) => part === file || /\/(base|rolldown-runtime)-/.test(part)
        return parts.filter((part) => (isDesk ? part.endsWith('.css') : !isThere(part)))
      },
    },
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The first page names every later file: a letter less of each is felt there.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // What every page stands on is one file: cut into pieces it would pack worse by 2 kB.
        codeSplitting: { groups: [{ name: 'base', test: ofEveryPage }] },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/rest/v1', '/auth/v1', '/functions/v1', '/art'].map((path) => [path, backend])),
  },
}

// One classic script without imports: it runs in an engine that has ECMAScript and nothing else.
const server: UserConfig = {
  plugins: [onlyUsedRouterParts(), nothingLater, react()],
  publicDir: false,
  resolve: {
    alias: {
      ...alias,
      // renderToString alone: the streaming half wants globals that the engine lacks.
      'react-dom/server': at('./node_modules/react-dom/cjs/react-dom-server-legacy.browser.production.js'),
      // Rendering reads from the answers it is given; no client library ever runs there.
      '@supabase/functions-js': absent,
    },
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: 'dist/server',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    lib: {
      entry: at('./src/entry-server/index.ts'),
      formats: ['iife'],
      name: 'greenroomRender',
      fileName: () => 'render.js',
    },
    rolldownOptions: { output: { codeSplitting: false } },
  },
}

export default defineConfig(({ mode }) => (mode === 'server' ? server : client))
