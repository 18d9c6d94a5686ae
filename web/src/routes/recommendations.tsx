import { RecommendationsScreen } from '@/features/inbox/recommendations-screen'

export function Page() {
  return <RecommendationsScreen />
}
