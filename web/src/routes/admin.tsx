import { AdminScreen } from '@/features/admin/admin-screen'

export function Page() {
  return <AdminScreen />
}
