import { lazy } from "react";

// The forms of these pages come after them: they are there to be seen and filled in already, and can be sent a moment later.

export const LoginForm = lazy(async () => ({ default: (await import("~/features/session/components/auth-forms")).LoginForm }));
export const RegisterForm = lazy(async () => ({ default: (await import("~/features/session/components/auth-forms")).RegisterForm }));
export const ForgotPasswordForm = lazy(async () => ({ default: (await import("~/features/account/components/recovery")).ForgotPasswordForm }));
export const MailSent = lazy(async () => ({ default: (await import("~/features/account/components/recovery")).MailSent }));
export const NewPasswordForm = lazy(async () => ({ default: (await import("~/features/account/components/recovery")).NewPasswordForm }));
