/** Every subject, in the order in which a browser's tests run them. */
import { composition } from "./cases/composition.ts"
import { consent } from "./cases/consent.ts"
import { emailCapture } from "./cases/email-capture.ts"
import { hostility } from "./cases/hostility.ts"
import { loading } from "./cases/loading.ts"
import { loss } from "./cases/loss.ts"
import { pageLife, prerendering } from "./cases/page-life.ts"
import { pageViews } from "./cases/page-views.ts"
import { ownPrivacyControl, privacy } from "./cases/privacy.ts"

export const subjects = [
  composition,
  consent,
  emailCapture,
  hostility,
  loading,
  loss,
  pageLife,
  prerendering,
  pageViews,
  privacy,
  ownPrivacyControl,
]
