// What one check of the doctor found.

export interface Finding {
  readonly check: string
  /** `warning`: works, and will not for ever. `skipped`: there is nothing to look at. */
  readonly status: "ok" | "warning" | "failed" | "skipped"
  readonly message: string
  /** The next step, where one is needed. */
  readonly advice?: string
}

const of =
  (status: Finding["status"]) =>
  (check: string, message: string, advice?: string): Finding => ({
    check,
    status,
    message,
    ...(advice === undefined ? {} : { advice }),
  })

export const ok = of("ok")
export const warning = of("warning")
export const failed = of("failed")
export const skipped = of("skipped")

export const isBad = ({ status }: Finding): boolean => status === "failed"
