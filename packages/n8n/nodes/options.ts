// What a workflow's author chooses from: the organization's own lists, segments and audiences.
import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from "n8n-workflow"
import { askAll } from "./api"

/** Enough for a menu; an expression takes any other ID. */
const optionsMax = 500

export const optionsOf =
  (path: ReadonlyArray<string>) =>
  async (context: ILoadOptionsFunctions): Promise<Array<INodePropertyOptions>> => {
    const rows = await askAll(context, { method: "GET", path }, optionsMax)
    return rows.map((row: IDataObject) => ({ name: String(row.name), value: String(row.id) }))
  }
