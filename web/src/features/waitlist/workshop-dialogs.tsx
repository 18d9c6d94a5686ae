import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod/v3'
import { linesOf } from '@/lib/format'
import { useOwnFields } from '@/lib/own-fields'
import { report } from '@/lib/report'
import { Button } from '@/ui/button'
import { DecoyField } from '@/ui/decoy-field'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { Icon } from '@/ui/icon'
import { toast } from '@/ui/toast'
import { type Registration, useRegister } from './register'
import type { Workshop } from './workshop'
import { Facts } from './workshop-facts'

export type OpenDialog = 'none' | 'info' | 'register'

type DialogsProps = { workshop: Workshop; dialog: OpenDialog; open: (dialog: OpenDialog) => void }

export function WorkshopDialogs({ workshop, dialog, open }: DialogsProps) {
  const follow = (name: OpenDialog) => (shown: boolean) => open(shown ? name : 'none')
  return (
    <>
      <Dialog
        open={dialog === 'info'}
        onOpenChange={follow('info')}
        title={workshop.title}
        description={`With ${workshop.host}`}
      >
        <Facts workshop={workshop} />
        <h3 className="kicker mt-7 text-gold">About</h3>
        <p className="mt-2 text-soft">{workshop.about}</p>
        <h3 className="kicker mt-7 text-gold">What you will learn</h3>
        <ul className="mt-3 grid gap-2.5">
          {linesOf(workshop.learn).map((line) => (
            <li key={line} className="flex gap-3 text-soft">
              <Icon name="check" className="mt-0.5 text-accent" />
              {line}
            </li>
          ))}
        </ul>
        <h3 className="kicker mt-7 text-gold">Register</h3>
        <p className="mt-2 text-soft">
          Online, {workshop.duration_minutes} minutes, only {workshop.spots} spots.
        </p>
        <div className="panel-foot">
          <Button look="accent" size="large" className="w-full" onClick={() => open('register')}>
            Register Now
          </Button>
        </div>
      </Dialog>
      <Dialog
        open={dialog === 'register'}
        onOpenChange={follow('register')}
        title="Register for the workshop"
        description={workshop.title}
      >
        <RegisterForm workshop={workshop} onDone={() => open('none')} />
      </Dialog>
    </>
  )
}

const schema = z.object({
  name: z.string().trim().min(1, 'Please enter your name'),
  email: z.string().trim().min(1, 'Please enter your email').email('Invalid email address'),
  reference: z.string(),
})

function RegisterForm({ workshop, onDone }: { workshop: Workshop; onDone: () => void }) {
  const form = useForm<Registration>({
    resolver: zodResolver(schema),
    defaultValues: { name: '', email: '', reference: '' },
  })
  useOwnFields(form, 'name', 'email')
  const { errors } = form.formState
  const register = useRegister(workshop.title, () => {
    void import('@/ui/toast-host').then(({ dismissErrors }) => dismissErrors()).catch(report)
    form.reset()
    onDone()
  })
  const submit = form.handleSubmit(
    // Who let the browser fill in too much gets through the second time.
    (values) => register.mutateAsync(values).catch(() => form.setValue('reference', '')),
    () => {
      const { name, email } = form.getValues()
      if (name.trim() === '' || email.trim() === '') toast.error('Please fill in all fields')
    },
  )
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field label="Name" error={errors.name?.message}>
        {(wiring) => (
          <Input {...wiring} {...form.register('name')} required autoComplete="name" placeholder="Your name" />
        )}
      </Field>
      <Field label="Email" error={errors.email?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...form.register('email')}
            required
            type="email"
            autoComplete="email"
            placeholder="you@example.com"
          />
        )}
      </Field>
      <DecoyField {...form.register('reference')} />
      <Button type="submit" look="accent" size="large" disabled={register.isPending}>
        {register.isPending ? 'Registering...' : 'Register Now'}
      </Button>
    </form>
  )
}
