import { type ReactNode, useRef } from 'react'
import { Button } from '@/ui/button'

type FileButtonProps = {
  accept?: string
  look?: 'accent' | 'secondary' | 'ghost'
  size?: 'small' | 'medium'
  /** The name of what is chosen, for who does not see the field. */
  label: string
  children: ReactNode
  onFile: (file: File) => void
}

/** A button that asks for a file. */
export function FileButton({ accept, look = 'secondary', size = 'small', label, children, onFile }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={accept}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = '' // so that the same file can be chosen again
          if (file) onFile(file)
        }}
      />
      <Button look={look} size={size} onClick={() => chooser.current?.click()}>
        {children}
      </Button>
    </>
  )
}
