import { RecommendationsScreen } from '@/features/inbox/recommendations-screen'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = {
  title: 'Recommend a New Course',
  description: 'Tell us which course you would like to see next.',
}

export function Page() {
  return <RecommendationsScreen />
}
