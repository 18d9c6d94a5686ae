import { useEffect } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { useSession } from './session'

/**
 * Fills in the name and the address of who is signed in. Only where nothing stands, nobody is about to type and nobody
 * has typed: what was taken out stays out.
 */
export function useOwnFields<Values extends FieldValues>(form: UseFormReturn<Values>, ...names: Path<Values>[]) {
  const user = useSession().session?.user
  const wanted = names.join()
  useEffect(() => {
    const own: Record<string, unknown> = { email: user?.email, name: user?.user_metadata?.name }
    const ends = wanted.split(',').map((name) => offer(form, name as Path<Values>, own[name]))
    return () => {
      for (const end of ends) end?.()
    }
  }, [user, form, wanted])
}

const typedInto = new WeakSet<Element>()

function offer<Values extends FieldValues>(form: UseFormReturn<Values>, name: Path<Values>, value: unknown) {
  const [box] = document.getElementsByName(name)
  if (!(box instanceof HTMLInputElement)) return
  const fill = () => {
    const isBlank = box.value === '' && !form.getValues(name) && !typedInto.has(box)
    if (isBlank && typeof value === 'string' && value) form.setValue(name, value as PathValue<Values, Path<Values>>)
  }
  const note = () => typedInto.add(box)
  if (document.activeElement !== box) fill()
  box.addEventListener('input', note)
  box.addEventListener('blur', fill, { once: true })
  return () => {
    box.removeEventListener('input', note)
    box.removeEventListener('blur', fill)
  }
}
