import { useEffect } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Price } from "~/components/ui/price";
import { paths } from "~/lib/paths";
import { holdTime } from "~/lib/rules";
import { useStore } from "~/lib/store";
import { keepChoice, signInQuestion, takeChoice } from "../visitor";

const close = () => signInQuestion.set({ wanted: null });

/** Closes the question. A login opened in another tab has kept the choice: it no longer counts. */
const decline = () => {
  takeChoice();
  close();
};

/** Asks a visitor who wants to hold something to sign in. Afterwards it is held, on the page where they chose it. */
export function SignInDialog() {
  const wanted = useStore(signInQuestion, (q) => q.wanted);
  const { pathname, search } = useLocation();
  useEffect(() => close, []);
  const from = pathname + search;
  return (
    <Dialog
      open={wanted !== null}
      onOpenChange={decline}
      title="Sign in to add it to your cart"
      description={`It is then reserved for you for ${holdTime}, if it is still free.`}
    >
      {wanted && (
        <div className="grid gap-6 p-6">
          <p className="flex items-center gap-4">
            <img src={wanted.image} alt="" width={54} height={72} className="rounded-sm" />
            <span>
              <span className="block font-bold">
                {wanted.count > 1 && `${wanted.count} × `}
                {wanted.name}
              </span>
              <Price value={wanted.price} />
            </span>
          </p>
          <p className="grid gap-3">
            <ButtonLink to={paths.login(from)} onClick={() => keepChoice(wanted)}>
              Sign in
            </ButtonLink>
            <ButtonLink to={paths.register(from)} kind="quiet" onClick={() => keepChoice(wanted)}>
              Create a free account
            </ButtonLink>
          </p>
        </div>
      )}
    </Dialog>
  );
}
