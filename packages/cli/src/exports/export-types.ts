// The formats of a file with the people of a run, as `--format` takes them.
import type { ExportType } from "@footfall/sdk"

export const exportTypes = ["csv", "parquet"] satisfies ReadonlyArray<ExportType>
