import { AdminScreen } from '@/features/admin/admin-screen'
import { categories } from '@/features/catalog/api'
import { Still } from '@/features/catalog/still'

export function Page() {
  return (
    <AdminScreen
      categories={categories}
      still={(course) => <Still course={course} className="aspect-video w-full" />}
    />
  )
}
