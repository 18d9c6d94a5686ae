import type { ReactNode } from 'react'
import { Drawing } from '../icon'

const shapes = {
  play: <path d="M7.5 4.8v14.4L19.5 12 7.5 4.8Z" fill="currentColor" />,
  pause: <path d="M8 5v14M16 5v14" strokeWidth="3.5" />,
  back: (
    <>
      <path d="M4.5 12.5a7.5 7.5 0 1 0 2.4-5.5L4.5 9.2m0-4.7v4.7h4.7" />
      <path
        d="M9.7 15.2v-4.7l-1.2.7m4.5-.7h1.4a.8.8 0 0 1 .8.8v3.1a.8.8 0 0 1-.8.8H13a.8.8 0 0 1-.8-.8v-3.1a.8.8 0 0 1 .8-.8Z"
        strokeWidth="1.4"
      />
    </>
  ),
  forward: (
    <>
      <path d="M19.5 12.5a7.5 7.5 0 1 1-2.4-5.5l2.4 2.2m0-4.7v4.7h-4.7" />
      <path
        d="M9.7 15.2v-4.7l-1.2.7m4.5-.7h1.4a.8.8 0 0 1 .8.8v3.1a.8.8 0 0 1-.8.8H13a.8.8 0 0 1-.8-.8v-3.1a.8.8 0 0 1 .8-.8Z"
        strokeWidth="1.4"
      />
    </>
  ),
  loud: <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5H4Zm11.5-1a5 5 0 0 1 0 7m2.7-9.7a9 9 0 0 1 0 12.4" />,
  silent: <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5H4Zm12 0 5 5m0-5-5 5" />,
  captions: (
    <path d="M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1Zm6 5a2 2 0 1 0 0 3m6-3a2 2 0 1 0 0 3" />
  ),
  quality: <path d="M5 7.5h6m4 0h4M5 16.5h2m4 0h8M13 5.5v4M9 14.5v4" />,
  picture: <path d="M10 18.5H4.5a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1h15a1 1 0 0 1 1 1V11m-7.5 3h7v5h-7v-5Z" />,
  full: (
    <path d="M4.5 9V5.5a1 1 0 0 1 1-1H9m6 0h3.5a1 1 0 0 1 1 1V9m0 6v3.5a1 1 0 0 1-1 1H15m-6 0H5.5a1 1 0 0 1-1-1V15" />
  ),
  small: (
    <path d="M9 4.5V8a1 1 0 0 1-1 1H4.5m15 0H16a1 1 0 0 1-1-1V4.5m0 15V16a1 1 0 0 1 1-1h3.5m-15 0H8a1 1 0 0 1 1 1v3.5" />
  ),
  next: <path d="M5.5 5.2v13.6L15 12 5.5 5.2ZM18.5 5.5v13" />,
} satisfies Record<string, ReactNode>

export type Shape = keyof typeof shapes

export const Shape = ({ name, className }: { name: Shape; className?: string }) => (
  <Drawing className={className}>{shapes[name]}</Drawing>
)
