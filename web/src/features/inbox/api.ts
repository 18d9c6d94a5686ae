import type { Session } from '@supabase/auth-js'
import { orThrow, rest } from '@/lib/backend'
import { functions } from '@/lib/functions'
import { nobody } from '@/lib/inquiry'
import type { Row } from './encode'

export async function send(row: Row, session: Session | null) {
  const user_id = session?.user.id ?? nobody
  orThrow(await (await rest()).from('course_recommendations').insert([{ user_id, ...row }]))
}

type Notice = {
  formType: 'help' | 'contact' | 'investor' | 'sponsorship'
  name: string
  email: string
  subject?: string
  company?: string
  phone?: string
  message: string
}

/** Tells the provider's inbox about a message that is stored. The message is safe without it, so it blocks nothing. */
export function notify(notice: Notice) {
  functions()
    .invoke('send-notification-email', { body: notice })
    .then(({ error }) => {
      if (error) throw error
    })
    .catch((error) => console.error('The notification was not sent.', error))
}
