import { clsx } from 'clsx'
import type { UseFormReturn } from 'react-hook-form'
import { longEnough, type NewPassword, passwordHint } from '@/lib/password'
import { Field } from './field'
import { Icon } from './icon'
import { PasswordInput } from './password-input'

type NewPasswordFieldsProps = { form: UseFormReturn<NewPassword>; email: string }

/** A new password, typed twice; whose it is stands hidden beside it, for password managers. */
export function NewPasswordFields({ form, email }: NewPasswordFieldsProps) {
  const { errors } = form.formState
  const enough = longEnough(form.watch('password'))
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="New password"
        error={errors.password?.message}
        hint={
          <span className={clsx('inline-flex items-center gap-1.5', enough && 'text-success')}>
            <Icon name="check" className={clsx('size-4', !enough && 'opacity-40')} />
            {passwordHint}
          </span>
        }
      >
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...form.register('password', {
              // The two belong together: a change of one may make what was said of the other untrue.
              onChange: () => form.getValues('confirm') !== '' && form.trigger('confirm'),
            })}
            required
            minLength={6}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label="Confirm password" error={errors.confirm?.message}>
        {(wiring) => (
          <PasswordInput {...wiring} {...form.register('confirm')} required minLength={6} autoComplete="new-password" />
        )}
      </Field>
    </>
  )
}
