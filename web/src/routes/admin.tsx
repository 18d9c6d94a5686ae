import { AdminScreen } from '@/features/admin/admin-screen'
import { categories } from '@/features/catalog/api'
import { Still } from '@/features/catalog/still'
import { SecondStep } from '@/features/factor/second-step'
import type { HeadFacts } from '@/lib/head'

export const head: HeadFacts = { title: 'Admin Panel', description: 'Manage the catalog.', robots: 'noindex' }

export function Page() {
  return (
    <AdminScreen
      categories={categories}
      SecondStep={SecondStep}
      still={(course) => <Still course={course} className="aspect-video w-full" />}
    />
  )
}
