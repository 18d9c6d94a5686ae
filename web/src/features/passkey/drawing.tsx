import { Drawing } from '@/ui/icon'

/** A person and their key. */
export const PasskeyDrawing = ({ className }: { className?: string }) => (
  <Drawing className={className}>
    <path d="M10 11.5A3.75 3.75 0 1 0 10 4a3.75 3.75 0 0 0 0 7.5ZM3.5 20c.6-3.3 3.2-5 6.5-5 .9 0 1.7.1 2.4.4m5.1-.4a2.6 2.6 0 1 1 1.5-.5v6l-1.5-1.2-1.5 1.2v-5.9" />
  </Drawing>
)
