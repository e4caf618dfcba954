package api

import (
	"context"
	"net/http"

	"pantheon/internal/portal/contact"
)

// PreRegistration is an address to notify when the game opens.
type PreRegistration struct {
	Email string `json:"email" doc:"Where to write to."`
}

// SupportRequest is a message to support.
type SupportRequest struct {
	Email   string `json:"email" doc:"Where to answer."`
	Topic   string `json:"topic" doc:"What it is about: account, wallet, market, payment, packs, webstore or other."`
	Message string `json:"message" doc:"10 to 4000 characters."`
}

func (a *API) registerContact() {
	requests := []limiter{{perMinute: a.Limits.ContactsPerMinute, key: byAddress}}
	public(a, call{
		method: http.MethodPost, path: "/api/pre-register", id: "preRegister", tag: tagContact, status: http.StatusCreated,
		summary: "Leave an address for the day King of Destiny opens; the answer is the same if it is known", errors: []int{400},
		limits: requests,
	}, func(ctx context.Context, in *Body[PreRegistration]) (*Body[Success], error) {
		return success("We will write to you when the gates open."), a.Contact.PreRegister(ctx, in.Body.Email)
	})
	public(a, call{
		method: http.MethodPost, path: "/api/support", id: "writeToSupport", tag: tagContact, status: http.StatusCreated,
		summary: "Write to the support", errors: []int{400}, limits: requests,
	}, func(ctx context.Context, in *Body[SupportRequest]) (*Body[Success], error) {
		return success("We have your message."), a.Contact.Write(ctx, in.Body.Email, contact.Topic(in.Body.Topic), in.Body.Message)
	})
}
