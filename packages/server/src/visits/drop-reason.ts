// Why a batch was dropped on purpose. The pixel host answers 204 all the same and never tells; the
// reasons are counted for the operator (spec 6.1, 6.3).

export type DropReason =
  | "pixel_unknown"
  | "pixel_inactive"
  | "unreadable"
  | "opted_out"
  | "consent"
  | "bot"
  | "address_excluded"
  | "domain_mismatch"
  | "path_excluded"
  | "no_valid_event"
  | "above_rate"
