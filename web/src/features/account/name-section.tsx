import type { Session } from '@supabase/auth-js'
import { type FormEvent, useState } from 'react'
import { nameOf } from '@/lib/name'
import { Button } from '@/ui/button'
import { Field, Input } from '@/ui/field'
import { Section } from '@/ui/section'
import { useChangeName } from './name'

/** What somebody is called: sign-up does not ask, and certificates want to know. */
export function NameSection({ session }: { session: Session }) {
  const known = nameOf(session)
  const [name, setName] = useState(known)
  const change = useChangeName()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending && name.trim() !== known) change.mutate(name.trim())
  }
  return (
    <Section title="Your name" lead="It appears on your certificates and next to what you post.">
      <form aria-label="Your name" method="post" onSubmit={submit} className="grid max-w-md gap-5">
        <Field label="Name">
          {(wiring) => (
            <Input
              {...wiring}
              value={name}
              dir="auto"
              autoComplete="name"
              maxLength={100}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          look="accent"
          aria-disabled={name.trim() === known}
          className="justify-self-start aria-disabled:opacity-60"
        >
          {change.isPending ? 'Saving...' : 'Save Name'}
        </Button>
      </form>
    </Section>
  )
}
