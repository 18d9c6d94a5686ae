import { type ComponentProps, useId } from 'react'

/** A field that people do not see and robots fill in: what comes with it was not written by a person. */
export function DecoyField(props: ComponentProps<'input'>) {
  const id = useId()
  return (
    <div aria-hidden="true" className="absolute size-px overflow-hidden opacity-0">
      <label htmlFor={id}>Leave this field empty</label>
      <input id={id} type="text" tabIndex={-1} autoComplete="off" {...props} />
    </div>
  )
}
