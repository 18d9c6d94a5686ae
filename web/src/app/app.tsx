import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CardActions } from '@/features/catalog/card-actions'
import { cardActions } from '@/routes/parts/card-actions'
import type { Pages } from './pages'
import { AppRoutes } from './router'
import { Shell } from './shell'

/** The whole site inside a router; the entries choose which. */
export function App({ pages, queryClient }: { pages: Pages; queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <CardActions value={cardActions}>
        <Shell>
          <AppRoutes pages={pages} />
        </Shell>
      </CardActions>
    </QueryClientProvider>
  )
}
