import { ago, localDate } from '@/lib/ago'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { ErrorState } from '@/ui/error-state'
import { Drawing } from '@/ui/icon'
import { Section, useHeading } from '@/ui/section'
import { Skeleton } from '@/ui/skeleton'
import { type Device, useDevices, useEndDevice, useEndOthers } from './devices'

const ownLead = 'Where you’re signed in. If you don’t recognize a device, sign it out and change your password.'

/** Where the account is signed in; a place that its owner does not know is ended here. */
export function DeviceSection({ user, lead = ownLead }: { user: string; lead?: string }) {
  const { data: devices, isLoadingError, refetch } = useDevices(user)
  const { box, toHeading } = useHeading()
  return (
    <Section title="Devices" lead={lead}>
      <div ref={box}>
        {isLoadingError ? (
          <ErrorState
            title="Your devices could not be loaded"
            hint="You’re still signed in here."
            onRetry={() => void refetch()}
          />
        ) : devices === undefined ? (
          <div role="status" aria-label="Loading your devices" className="grid gap-3">
            <Skeleton className="h-13 bg-surface-2" />
            <Skeleton className="h-13 bg-surface-2" />
          </div>
        ) : (
          <Devices user={user} devices={devices} onEnded={toHeading} />
        )}
      </div>
    </Section>
  )
}

function Devices({ user, devices, onEnded }: { user: string; devices: Device[]; onEnded: () => void }) {
  const end = useEndDevice(user, onEnded)
  const endOthers = useEndOthers(user, onEnded)
  const sorted = devices.toSorted((a, b) => Number(b.current) - Number(a.current))
  return (
    <>
      <ul>
        {sorted.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            isEnding={end.isPending && end.variables.id === device.id}
            onEnd={() => end.mutate(device)}
          />
        ))}
      </ul>
      {devices.length > 1 && (
        <Confirm
          trigger={
            <Button className="mt-2" disabled={endOthers.isPending}>
              Sign out everywhere else
            </Button>
          }
          question="Sign out everywhere else?"
          detail="Every device except this one will have to sign in again."
          action="Sign out"
          onConfirm={() => endOthers.mutate()}
        />
      )}
    </>
  )
}

type DeviceRowProps = { device: Device; isEnding: boolean; onEnd: () => void }

function DeviceRow({ device, isEnding, onEnd }: DeviceRowProps) {
  const { current, address, created_at, last_seen_at } = device
  return (
    <li className="flex items-center gap-4 border-t border-hairline py-4">
      <DeviceDrawing name={device.device} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {device.device}
          {current && <span className="text-success"> · This device</span>}
        </p>
        <p className="text-meta text-muted">
          {current ? 'Active now' : <time dateTime={last_seen_at}>Last seen {ago(last_seen_at, Date.now())}</time>}
        </p>
        <p className="text-meta text-muted">
          {address && `${address} · `}since {localDate(created_at)}
        </p>
      </div>
      {!current && (
        <Button size="small" aria-label={`Sign out ${device.device}`} disabled={isEnding} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  )
}

function DeviceDrawing({ name }: { name: string }) {
  return (
    <Drawing className="text-muted">
      {/iPhone|iPad|Android/.test(name) ? (
        <path d="M8 3.5h8A1.5 1.5 0 0 1 17.5 5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5Zm3 14h2" />
      ) : (
        <path d="M5 4.5h14A1.5 1.5 0 0 1 20.5 6v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 15V6A1.5 1.5 0 0 1 5 4.5Zm3 15h8m-4-3v3" />
      )}
    </Drawing>
  )
}
