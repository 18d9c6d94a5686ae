import { Drawing } from '@/ui/icon'

export const LockDrawing = ({ className }: { className?: string }) => (
  <Drawing className={className}>
    <path d="M7 11V8a5 5 0 0 1 10 0v3M6.5 11h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z" />
  </Drawing>
)

export const FileDrawing = ({ className }: { className?: string }) => (
  <Drawing className={className}>
    <path d="M7 3.5h7l4.5 4.5v11a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5Zm6.5.5v4.5H18" />
  </Drawing>
)

export const ListDrawing = () => (
  <Drawing>
    <path d="M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1" />
  </Drawing>
)

export const PlayDrawing = ({ className }: { className?: string }) => (
  <Drawing className={className}>
    <path d="M8 5.2v13.6L19 12 8 5.2Z" fill="currentColor" />
  </Drawing>
)

export const QuizDrawing = ({ className }: { className?: string }) => (
  <Drawing className={className}>
    <path d="M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM9.6 9.7a2.4 2.4 0 1 1 3.5 2.2c-.8.4-1.1.9-1.1 1.8M12 16.6v.01" />
  </Drawing>
)
