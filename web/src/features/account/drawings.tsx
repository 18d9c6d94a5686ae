import { Drawing } from '@/ui/icon'

export const SettingsDrawing = () => (
  <Drawing>
    <path d="M4 7h9.5m5 0H20M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM4 17h1.5m5 0H20M8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" />
  </Drawing>
)

export const ShieldDrawing = () => (
  <Drawing>
    <path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.4 7 9 4.1-1.6 7-4.6 7-9V6l-7-2.5Zm-3 8.5 2.2 2.2 4-4.2" />
  </Drawing>
)

export const LeaveDrawing = () => (
  <Drawing>
    <path d="M10 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h4M15.5 8l4 4-4 4m4-4H9.5" />
  </Drawing>
)

export const CopyDrawing = () => (
  <Drawing>
    <path d="M9 8.5h9A1.5 1.5 0 0 1 19.5 10v8a1.5 1.5 0 0 1-1.5 1.5H9A1.5 1.5 0 0 1 7.5 18v-8A1.5 1.5 0 0 1 9 8.5ZM5 15.5A1.5 1.5 0 0 1 4.5 14V6A1.5 1.5 0 0 1 6 4.5h8A1.5 1.5 0 0 1 15.5 6" />
  </Drawing>
)
