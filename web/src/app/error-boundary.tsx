import { Component, type ErrorInfo, type ReactNode } from 'react'
import { reloadIfServed } from '@/startup/reload'
import { ErrorState } from '@/ui/error-state'

/** Keeps a page's failure inside the page: the navigation around it goes on working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidMount() {
    addEventListener('online', this.loadAnew)
  }

  override componentWillUnmount() {
    removeEventListener('online', this.loadAnew)
  }

  // What could not be loaded without a network can be with one.
  loadAnew = () => {
    if (this.state.failed) void reloadIfServed()
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error('The page failed.', error, info.componentStack)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="page">
        <ErrorState
          title={navigator.onLine ? 'Something went wrong on this page' : 'This page couldn’t load'}
          hint="The rest of the site still works."
          onRetry={() => void reloadIfServed()}
        />
      </div>
    )
  }
}
