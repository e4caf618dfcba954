import { lazy } from "react";

// The forms of these pages are loaded lazily: the prerendered ones can be seen and filled in, and are submittable
// shortly after.

export const LoginForm = lazy(async () => ({ default: (await import("~/features/session/components/auth-forms")).LoginForm }));
export const RegisterForm = lazy(async () => ({ default: (await import("~/features/session/components/auth-forms")).RegisterForm }));
export const ForgotPasswordForm = lazy(async () => ({
  default: (await import("~/features/account/components/recovery")).ForgotPasswordForm,
}));
export const MailSent = lazy(async () => ({ default: (await import("~/features/account/components/recovery")).MailSent }));
export const NewPasswordForm = lazy(async () => ({ default: (await import("~/features/account/components/recovery")).NewPasswordForm }));
