import './styles/index.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { UNSAFE_createBrowserHistory as createBrowserHistory } from 'react-router'
import { App } from './app/app'
import { lazyPages } from './app/pages'
import { readAhead } from './app/read-ahead'
import { loadPassage, match, PatientRouter } from './app/router'
import { type Answers, makeQueryClient, takeAnswers } from './lib/query'
import { report } from './lib/report'
import { startSession } from './lib/session'
import { fromPage } from './lib/settings'
import { loadAhead } from './startup/load-ahead'
import { reloadWhenChunkVanishes } from './startup/reload'

async function start(root: HTMLElement) {
  reloadWhenChunkVanishes()
  const pages = lazyPages()
  const queryClient = makeQueryClient()
  takeAnswers(queryClient, fromPage().state as Answers | null)
  // Hydration must find the page's markup whole, so its module comes first.
  await pages.load(match(location.pathname).page)
  const history = createBrowserHistory({ v5Compat: true })
  const app = (
    <StrictMode>
      <PatientRouter history={history} pages={pages}>
        <App pages={pages} queryClient={queryClient} />
      </PatientRouter>
    </StrictMode>
  )
  // In short turns, so that a slow phone can scroll and answer meanwhile.
  if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
  startSession()
  loadAhead(
    (pathname) => Promise.all([pages.load(match(pathname).page), loadPassage()]),
    (link) => readAhead(pages, queryClient, link),
  )
  const bringTips = () => void import('./ui/tips').then(({ startTips }) => startTips()).catch(report)
  for (const event of ['pointerover', 'keydown']) addEventListener(event, bringTips, { once: true })
  // Past the time in which a visitor decides where to go.
  setTimeout(() => void import('./startup/release').then(({ releaseAhead }) => releaseAhead()).catch(report), 5000)
}

const root = document.getElementById('root')
if (root) void start(root)
