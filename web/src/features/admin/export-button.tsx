import { useMutation } from '@tanstack/react-query'
import { useParameter } from '@/lib/address'
import { fetchAsCaller, run } from '@/lib/backend'
import { save } from '@/lib/download'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'
import { countOf, type Tab } from './reads'

/** All rows of a tab as a file; false when there are none. */
async function download(tab: Tab): Promise<boolean> {
  const { total } = await run(countOf(tab))
  if (total === 0) return false
  const answer = await fetchAsCaller(`${location.origin}/functions/v1/export?tab=${tab}`)
  if (!answer.ok) throw new Error(`the export answered ${answer.status}`)
  // The bytes as they are: read as text they would lose the mark that tells a spreadsheet the encoding.
  save(await answer.blob(), `${tab}-${new Date().toISOString().slice(0, 10)}.csv`)
  return true
}

export function ExportButton({ tab }: { tab: Tab }) {
  const [filter] = useParameter('q')
  const saving = useMutation({
    mutationFn: () => download(tab),
    onSuccess: (some) =>
      some
        ? toast.success(
            'Data exported successfully',
            filter && 'All rows are in the file, not only those you searched for.',
          )
        : toast.error('No data to export'),
    onError: (error) => {
      console.error(`The ${tab} could not be exported.`, error)
      toast.error('Failed to export data')
    },
  })
  return (
    <Button disabled={saving.isPending} onClick={() => saving.mutate()}>
      <Icon name="download" />
      {saving.isPending ? 'Exporting...' : 'Export CSV'}
    </Button>
  )
}
