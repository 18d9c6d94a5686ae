import { PageTitle } from '@/ui/page-title'

export function RecommendationsScreen() {
  return (
    <div className="page">
      <PageTitle>Recommend a New Course</PageTitle>
    </div>
  )
}
