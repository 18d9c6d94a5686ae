import { settings } from '@/lib/settings'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import type { Mode } from './api'

const quiet = 'font-medium text-foreground underline underline-offset-4'

export function BackLink({ onBack }: { onBack: () => void }) {
  return (
    <Link
      to="/auth"
      replace
      onClick={(event) => {
        event.preventDefault()
        onBack()
      }}
      className="mb-2 inline-flex min-h-11 items-center gap-1 text-meta text-muted hover:text-foreground"
    >
      <Icon name="left" className="size-4" />
      Back to sign in
    </Link>
  )
}

export function Toggle({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  const [question, label, other] =
    mode === 'sign-in'
      ? (["Don't have an account?", 'Sign up', 'sign-up'] as const)
      : (['Already have an account?', 'Sign in', 'sign-in'] as const)
  return (
    <p className="mt-5 flex min-h-11 flex-wrap items-center gap-x-2 text-[0.9375rem] text-muted">
      {question}
      <button type="button" onClick={() => onMode(other)} className={`min-h-11 ${quiet}`}>
        {label}
      </button>
    </p>
  )
}

export function Terms() {
  return (
    <p className="mt-1 text-meta text-muted">
      By signing up you agree to the{' '}
      <Link to="/terms-and-conditions" className={quiet}>
        Terms and Conditions
      </Link>{' '}
      and the{' '}
      <Link to="/privacy-policy" className={quiet}>
        Privacy Policy
      </Link>
      .
    </p>
  )
}

export function Support() {
  return (
    <p className="mt-8 border-t border-hairline pt-5 text-meta text-muted">
      Trouble signing in?{' '}
      <a href={`mailto:${settings().supportEmail}`} className={quiet}>
        Contact support
      </a>
    </p>
  )
}
