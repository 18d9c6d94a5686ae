import { AdminScreen } from '@/features/admin/admin-screen'
import { categories } from '@/features/catalog/api'
import { Still } from '@/features/catalog/still'
import { SecondStep } from '@/features/factor/second-step'

export function Page() {
  return (
    <AdminScreen
      categories={categories}
      secondStep={(props) => <SecondStep {...props} />}
      still={(course) => <Still course={course} className="aspect-video w-full" />}
    />
  )
}
