// Files of the results. Each is made on request, kept for 7 days, and has a download link. A file for an ad platform is
// written while it is downloaded, because it leaves out who is suppressed at that moment.
import type { AdFormat, Export, ExportType, ExportWithLink, Run } from "@footfall/sdk"
import { useQuery } from "@tanstack/react-query"
import { footfall } from "../../session/session.ts"
import { useMe } from "../../session/use-session.ts"
import { Badge } from "../../ui/badge.tsx"
import { Button } from "../../ui/button.tsx"
import { Problem } from "../../ui/problem.tsx"
import { Read } from "../../ui/read.tsx"
import { saveFile } from "../../ui/save-file.ts"
import { plural, Time } from "../../ui/time.tsx"
import { useWrite } from "../../ui/use-write.ts"

const formats = [
  { type: "csv", label: "Create CSV file" },
  { type: "parquet", label: "Create Parquet file" },
] as const satisfies ReadonlyArray<{ readonly type: ExportType; readonly label: string }>

const platforms = [
  { format: "meta", label: "Meta" },
  { format: "google", label: "Google" },
  { format: "linkedin", label: "LinkedIn" },
  { format: "tiktok", label: "TikTok" },
  { format: "x", label: "X" },
] as const satisfies ReadonlyArray<{ readonly format: AdFormat; readonly label: string }>

/** In milliseconds. */
const pollMs = 1_500

export const Exports = ({ run }: { readonly run: Run }) => {
  const { audienceId, id } = run
  const { canWrite } = useMe()
  const key = ["audiences", audienceId, "run", id, "exports"]
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await footfall.exports.list(audienceId, id, { limit: 5 }, { signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "processing") === true ? pollMs : false,
  })
  const create = useWrite({
    write: (exportType: ExportType) => footfall.exports.create(audienceId, id, { exportType }),
    changes: [key],
  })
  return (
    <section className="stack" aria-label="Files">
      <div className="spread">
        <h2>Files</h2>
        {canWrite && (
          <div className="row">
            {formats.map(({ label, type }) => (
              <Button
                key={type}
                isBusy={create.isPending && create.variables === type}
                onClick={() => create.mutate(type)}
              >
                {label}
              </Button>
            ))}
          </div>
        )}
      </div>
      <Problem error={create.error} title="The file was not created" />
      <Read query={query}>
        {(exports) =>
          exports.length === 0 ? (
            <p className="soft">No files yet. A file contains everyone the run found.</p>
          ) : (
            <ul className="stack">
              {exports.map((file) => (
                <File key={file.id} file={file} />
              ))}
            </ul>
          )
        }
      </Read>
      <ForAds run={run} />
    </section>
  )
}

const ForAds = ({ run: { audienceId, id } }: { readonly run: Run }) => {
  const download = useWrite({
    write: async (format: AdFormat) => {
      const file = await footfall.runs.exportForAds(audienceId, id, format)
      const parts: Array<BlobPart> = []
      for await (const part of file) parts.push(part.slice())
      saveFile(file.fileName ?? `people-${format}.csv`, parts)
    },
  })
  return (
    <div className="stack" role="group" aria-label="Files for ads">
      <p className="soft">
        For an ad platform's customer list: hashed by its rules, without people who are suppressed.
      </p>
      <div className="row">
        {platforms.map(({ format, label }) => (
          <Button
            key={format}
            aria-label={`Download for ${label}`}
            isBusy={download.isPending && download.variables === format}
            onClick={() => download.mutate(format)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Problem error={download.error} title="The file was not downloaded" />
    </div>
  )
}

const tones = { processing: "neutral", completed: "good", failed: "bad", expired: "warn" } as const

const File = ({ file }: { readonly file: Export }) => (
  <li className="card spread">
    <span className="break">
      {file.fileName}
      <span className="soft small">
        {file.rowCount !== null && ` · ${plural(file.rowCount, "row")}`}
        {file.expiresAt !== null && (
          <>
            {" · kept until "}
            <Time at={file.expiresAt} shape="full" />
          </>
        )}
        {file.errorMessage !== null && ` · ${file.errorMessage}`}
      </span>
    </span>
    {file.status === "completed" ? (
      <Download file={file} />
    ) : (
      <Badge tone={tones[file.status]}>{file.status}</Badge>
    )}
  </li>
)

/** The link needs no credentials, so the browser downloads the file itself. */
const Download = ({ file: { audienceId, fileName, id, runId } }: { readonly file: Export }) => {
  const get = useWrite({
    write: () => footfall.exports.get(audienceId, runId, id),
    onDone: ({ downloadUrl }: ExportWithLink) => {
      if (downloadUrl === null) return
      const link = document.createElement("a")
      link.href = downloadUrl
      link.download = fileName
      link.click()
    },
  })
  return (
    <>
      <Button isBusy={get.isPending} onClick={() => get.mutate()}>
        Download
      </Button>
      <Problem error={get.error} />
    </>
  )
}
