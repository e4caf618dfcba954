import { useState } from "react";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { FormResult } from "~/components/ui/form-result";
import { Select } from "~/components/ui/select";
import { TextArea } from "~/components/ui/text-area";
import { session } from "~/features/session/store";
import { rules } from "~/lib/rules";
import { useStore } from "~/lib/store";
import { emailProblem } from "~/lib/validate";
import { messageProblem, topics, writeToSupport } from "../requests";

/** Sends a support request. A signed-in player's address is prefilled. */
export function SupportForm() {
  const [answerTo, setAnswerTo] = useState("");
  const own = useStore(session, (s) => s.profile?.AccountInfo.PrivateInfo.Email);
  if (answerTo) return <FormResult title="We have your message">A person reads it and answers to {answerTo}.</FormResult>;
  return (
    <Form
      rules={{ email: emailProblem, topic: (value) => (value ? undefined : "Choose what it is about."), message: messageProblem }}
      action="Send the message"
      onSubmit={async (values) => {
        const email = values.email.trim();
        await writeToSupport({ ...values, email });
        setAnswerTo(email);
      }}
    >
      {(errors) => (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              key={own}
              label="E-mail"
              name="email"
              type="email"
              autoComplete="email"
              inputMode="email"
              defaultValue={own}
              error={errors.email}
            />
            <Select label="What it is about" name="topic" options={topics} error={errors.topic} />
          </div>
          <TextArea
            label="What happened"
            name="message"
            maxLength={rules.maxMessage}
            hint="Times, order numbers, transactions and receipts help. Never a password or a code."
            error={errors.message}
          />
        </>
      )}
    </Form>
  );
}
