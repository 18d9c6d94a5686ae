import type { Factor } from '@supabase/auth-js'
import { useState } from 'react'
import { keysWork } from '@/lib/auth-key'
import { guardsOf, type SecondStepProps } from '@/lib/auth-level'
import { Button } from '@/ui/button'
import { CodeField } from '@/ui/code-field'
import { Notice } from '@/ui/notice'
import { kindOf, likeliest, nameOf, refusalOf, useAnswerWithKey, useVerifyCode } from './api'
import { areCodes } from './codes'
import { RecoveryForm } from './recovery-form'
import { useCode } from './use-code'

/** A factor in the middle of a sentence. */
const called = (factor: Factor) =>
  factor.friendly_name ? `“${factor.friendly_name}”` : `your ${kindOf(factor).toLowerCase()}`

/** Asks who has a second step for it: the code of their app, their key, or a recovery code for want of both. */
export function SecondStep({ session, ...rest }: SecondStepProps) {
  const factors = guardsOf(session)
  const [chosen, choose] = useState('')
  const usable = factors.filter(({ factor_type }) => factor_type !== 'webauthn' || keysWork())
  const factor = factors.find(({ id }) => id === chosen) ?? likeliest(usable) ?? likeliest(factors)
  if (!factor) return null
  const codes = (session.user.factors ?? []).find(areCodes)
  if (codes && chosen === codes.id)
    return (
      <div className="grid gap-5">
        <RecoveryForm {...rest} />
        <OtherWays factors={factors} onChoose={choose} />
      </div>
    )
  const Form = factor.factor_type === 'webauthn' ? KeyForm : CodeForm
  return (
    <div className="grid gap-5">
      <Form key={factor.id} factor={factor} {...rest} />
      <OtherWays factors={factors.filter(({ id }) => id !== factor.id)} onChoose={choose} />
      {codes && (
        <button
          type="button"
          onClick={() => choose(codes.id)}
          className="min-h-11 justify-self-start text-meta font-medium underline underline-offset-4"
        >
          Use a recovery code
        </button>
      )}
    </div>
  )
}

type FormProps = Omit<SecondStepProps, 'session'> & { factor: Factor }

const naming = {
  noValidate: true,
  method: 'post',
  'aria-label': 'Two-step verification',
  className: 'grid gap-5',
} as const

function CodeForm({ factor, action, reason = '', onPassed }: FormProps) {
  const verify = useVerifyCode(factor.id, onPassed)
  const { field, submit } = useCode(verify)
  return (
    <form {...naming} onSubmit={submit}>
      <CodeField {...field} first hint={`The 6-digit code from ${called(factor)}. ${reason}`.trim()} />
      <Button type="submit" look="accent" size="large" disabled={verify.isPending}>
        {verify.isPending ? 'Verifying...' : action}
      </Button>
    </form>
  )
}

function KeyForm({ factor, action, reason = '', onPassed }: FormProps) {
  const answer = useAnswerWithKey(factor.id, onPassed)
  if (!keysWork()) return <Notice tone="danger">{`${nameOf(factor)} can’t be used in this browser.`}</Notice>
  return (
    <form
      {...naming}
      onSubmit={(event) => {
        event.preventDefault()
        answer.mutate()
      }}
    >
      <p className="text-muted">{`Your browser will ask for ${called(factor)} next. ${reason}`.trim()}</p>
      {answer.isError && (
        <p role="alert" className="text-meta text-danger">
          {refusalOf(answer.error)}
        </p>
      )}
      <Button type="submit" look="accent" size="large" autoFocus disabled={answer.isPending}>
        {answer.isPending ? 'Waiting for your key...' : action}
      </Button>
    </form>
  )
}

function OtherWays({ factors, onChoose }: { factors: Factor[]; onChoose: (id: string) => void }) {
  if (factors.length === 0) return null
  return (
    <div>
      <p className="text-meta text-muted">Use another way</p>
      <ul className="mt-2 grid gap-2">
        {factors.map((factor) => (
          <li key={factor.id}>
            <Button className="w-full" onClick={() => onChoose(factor.id)}>
              <span className="truncate">{nameOf(factor)}</span>
              {nameOf(factor) !== kindOf(factor) && (
                <span className="shrink-0 text-meta text-muted">{kindOf(factor)}</span>
              )}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
