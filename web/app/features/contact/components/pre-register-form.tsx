import { useState } from "react";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { FormResult } from "~/components/ui/form-result";
import { emailProblem } from "~/lib/validate";
import { preRegister } from "../requests";

/** Submits an address to notify when the game opens. */
export function PreRegisterForm() {
  const [left, setLeft] = useState("");
  if (left) return <FormResult title="Your address is saved">We will write to {left} once, on the day the game opens.</FormResult>;
  return (
    <Form
      rules={{ email: emailProblem }}
      action="Pre-register"
      onSubmit={async (values) => {
        const email = values.email.trim();
        await preRegister({ email });
        setLeft(email);
      }}
    >
      {(errors) => (
        <Field
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          hint="For one email. Nothing else is sent to it."
          error={errors.email}
        />
      )}
    </Form>
  );
}
