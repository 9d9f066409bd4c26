// A list of the server walked page by page, each asked for as long as patience lasts.

import type { Page, PagedList, PageMeta } from "@footfall/sdk"
import { patiently, type Patience } from "./patience.ts"

/** Every page; the list has to be made without retries of its own. Errors: those of the last call. */
export async function* patientPages<Item, Meta extends PageMeta>(
  list: PagedList<Item, Meta>,
  patience: Patience,
): AsyncGenerator<Page<Item, Meta>, void, undefined> {
  let page: Page<Item, Meta> | null = await patiently(async () => list, patience)
  while (page !== null) {
    yield page
    const current: Page<Item, Meta> = page
    page = await patiently(() => current.nextPage(), patience)
  }
}
