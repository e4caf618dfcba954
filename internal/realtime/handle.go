package realtime

import (
	"context"
	"strconv"

	"github.com/nats-io/nats.go"
)

// handle processes a frame. An error ends the connection. Unknown types are ignored, so that clients newer
// than this server still work.
func (h *Hub) handle(t *transport, in *inbound) error {
	// The limit does not apply to acknowledgements of new messages, which are at most as many as our messages.
	if in.Type == "sequenceAck" && t.s.acknowledge(in.SequenceID) {
		return nil
	}
	if !t.s.frames.AllowN(h.clock.Now(), 1) {
		return closeError{closePolicy, "too many messages"}
	}
	switch in.Type {
	case "ping":
		t.answer(pongMessage{Type: "pong"})
	case "joinGroup":
		t.ack(in, h.join(t.s, in.Group))
	case "leaveGroup":
		t.ack(in, h.leave(t.s, in.Group))
	case "sendToGroup":
		t.ack(in, h.sendToGroup(t.s, in))
	case "event":
		t.ack(in, nil) // there is no upstream to receive it
	case "invoke":
		t.answer(invokeResponse{Type: "invokeResponse", InvocationID: in.InvocationID,
			Error: &errorDetail{Name: errForbidden, Message: "nothing can be invoked here"}})
	}
	return nil
}

// ack answers a frame that requests an acknowledgement; a nil failure is success.
func (t *transport) ack(in *inbound, failure *errorDetail) {
	if in.AckID != nil {
		t.answer(ackMessage{Type: "ack", AckID: *in.AckID, Success: failure == nil, Error: failure})
	}
}

// join adds the session to a group, and answers once the record is saved.
func (h *Hub) join(s *session, group string) *errorDetail {
	if failure := s.may(RoleJoinLeaveGroup, group); failure != nil {
		return failure
	}
	h.mu.Lock()
	s.mu.Lock()
	_, member := s.groups[group]
	full := len(s.groups) >= maxGroups
	if !member && !full && !s.ended {
		if s.groups == nil {
			s.groups = make(map[string]uint64)
		}
		s.groups[group] = h.log.head.Load()
		h.byGroup[group] = append(h.byGroup[group], s)
	}
	s.mu.Unlock()
	h.mu.Unlock()
	if !member && full {
		return &errorDetail{Name: errForbidden, Message: "in too many groups"}
	}
	return h.keep(s)
}

// leave removes the session from a group.
func (h *Hub) leave(s *session, group string) *errorDetail {
	if failure := s.may(RoleJoinLeaveGroup, group); failure != nil {
		return failure
	}
	h.mu.Lock()
	s.mu.Lock()
	if _, member := s.groups[group]; member {
		delete(s.groups, group)
		remove(h.byGroup, group, s)
	}
	s.mu.Unlock()
	h.mu.Unlock()
	return h.keep(s)
}

// keep saves a session whose groups have changed.
func (h *Hub) keep(s *session) *errorDetail {
	if !s.reliable {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	if err := h.save(ctx, s); err != nil {
		h.logger.Warn("saving a session failed", "error", err)
		return &errorDetail{Name: errInternal, Message: "please try again"}
	}
	return nil
}

// sendToGroup stores a message to a group. The connection and the ackId are its id: a duplicate stores nothing.
func (h *Hub) sendToGroup(s *session, in *inbound) *errorDetail {
	if failure := s.may(RoleSendToGroup, in.Group); failure != nil {
		return failure
	}
	if err := in.validData(); err != nil {
		return &errorDetail{Name: errForbidden, Message: err.Error()}
	}
	tail, err := message{Type: "message", From: "group", Group: in.Group, DataType: in.DataType, FromUserID: s.user}.tail(in.Data)
	if err != nil {
		return &errorDetail{Name: errForbidden, Message: "data is not valid"}
	}
	msg := &nats.Msg{Subject: h.subject(subjectGroup, in.Group), Data: tail, Header: nats.Header{}}
	if in.NoEcho {
		msg.Header.Set(headerExclude, s.id)
	}
	id := ""
	if in.AckID != nil {
		id = "client:" + s.id + ":" + strconv.FormatUint(*in.AckID, 10)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	duplicate, err := h.store(ctx, msg, id)
	switch {
	case err != nil:
		h.logger.Warn("storing a client's message failed", "error", err)
		return &errorDetail{Name: errInternal, Message: "please try again"}
	case duplicate:
		return &errorDetail{Name: errDuplicate, Message: "already sent"}
	default:
		return nil
	}
}
