// `MAILER_BASE_URL`: where accounts are reached that were connected without an address of their own.
import { Context } from "effect"

/** Without a slash at the end. */ // spec 1.2, 2.17
export const MailerBaseUrl = Context.Reference<string | undefined>(
  "@footfall/server/destinations/MailerBaseUrl",
  { defaultValue: () => undefined },
)
