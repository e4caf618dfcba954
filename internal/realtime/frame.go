package realtime

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// The subprotocols, as a client names them in Sec-WebSocket-Protocol.
const (
	protocolReliable = "json.reliable.webpubsub.azure.v1"
	protocolPlain    = "json.webpubsub.azure.v1"
)

// closeCode is a WebSocket close code, RFC 6455 §7.4.1.
type closeCode uint16

const (
	closeNormal        closeCode = 1000
	closeGoingAway     closeCode = 1001
	closeProtocolError closeCode = 1002
	closeUnsupported   closeCode = 1003
	closeInvalidData   closeCode = 1007
	closePolicy        closeCode = 1008 // the only code after which the client does not try to recover
	closeTooBig        closeCode = 1009
	closeRestart       closeCode = 1012
)

const sequencePrefix = `{"sequenceId":`

// WebSocket opcodes and frame layout, RFC 6455 §5.2. Frames from a server are not masked.
const (
	opText        = 0x1
	opClose       = 0x8
	opPong        = 0xA
	maxHeaderSize = 10
)

// appendHeader appends the header of a final, unmasked frame.
func appendHeader(b []byte, opcode byte, size int) []byte {
	b = append(b, 0x80|opcode)
	switch {
	case size < 126:
		return append(b, byte(size))
	case size < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, 126), uint16(size))
	default:
		return binary.BigEndian.AppendUint64(append(b, 127), uint64(size))
	}
}

// appendFrame appends a whole frame with the given payload.
func appendFrame(b []byte, opcode byte, payload []byte) []byte {
	return append(appendHeader(b, opcode, len(payload)), payload...)
}

// appendClose appends a close frame. A close reason has at most 123 bytes, RFC 6455 §5.5.
func appendClose(b []byte, code closeCode, reason string) []byte {
	reason = reason[:min(len(reason), 123)]
	b = appendHeader(b, opClose, 2+len(reason))
	b = binary.BigEndian.AppendUint16(b, uint16(code))
	return append(b, reason...)
}

// appendPlain appends e's message without its sequenceId, for the subprotocol that has none.
func (e *entry) appendPlain(b []byte) []byte {
	tail := e.frame[e.tail:]
	b = append(appendHeader(b, opText, 1+len(tail)), '{')
	return append(b, tail...)
}

// maxGroupName is the vendor's limit for a group's name, in bytes.
const maxGroupName = 1024

// inbound is any frame a client sends; each type uses some of the fields.
type inbound struct {
	Type         string          `json:"type"`
	Group        string          `json:"group"`
	Event        string          `json:"event"`
	AckID        *uint64         `json:"ackId"`
	SequenceID   uint64          `json:"sequenceId"`
	NoEcho       bool            `json:"noEcho"`
	DataType     string          `json:"dataType"`
	Data         json.RawMessage `json:"data"`
	InvocationID string          `json:"invocationId"`
}

// validData reports why the message's data does not fit its dataType.
func (in *inbound) validData() error {
	switch in.DataType {
	case "json":
		if len(in.Data) == 0 {
			return errors.New("data is missing")
		}
		return nil
	case "text", "binary", "protobuf":
		var s *string
		if err := json.Unmarshal(in.Data, &s); err != nil || s == nil {
			return fmt.Errorf("data of type %s must be a string", in.DataType)
		}
		if in.DataType == "text" {
			return nil
		}
		if _, err := base64.StdEncoding.DecodeString(*s); err != nil {
			return fmt.Errorf("data of type %s must be base64", in.DataType)
		}
		return nil
	default:
		return errors.New("dataType must be json, text, binary or protobuf")
	}
}

// errorDetail says why a request of a client failed.
type errorDetail struct {
	Name    string `json:"name"`
	Message string `json:"message"`
}

// The error names that clients know.
const (
	errForbidden = "Forbidden"
	errInternal  = "InternalServerError"
	errDuplicate = "Duplicate" // the client treats it as success
)

type ackMessage struct {
	Type    string       `json:"type"`
	AckID   uint64       `json:"ackId"`
	Success bool         `json:"success"`
	Error   *errorDetail `json:"error,omitempty"`
}

type connectedMessage struct {
	Type              string `json:"type"`
	Event             string `json:"event"`
	UserID            string `json:"userId"`
	ConnectionID      string `json:"connectionId"`
	ReconnectionToken string `json:"reconnectionToken,omitempty"`
}

type disconnectedMessage struct {
	Type    string `json:"type"`
	Event   string `json:"event"`
	Message string `json:"message"`
}

type pongMessage struct {
	Type string `json:"type"`
}

type invokeResponse struct {
	Type         string       `json:"type"`
	InvocationID string       `json:"invocationId"`
	Success      bool         `json:"success"`
	Error        *errorDetail `json:"error,omitempty"`
}

// message is the part of a message to clients that precedes its data and follows the sequenceId.
type message struct {
	Type       string `json:"type"`
	From       string `json:"from"`
	Group      string `json:"group,omitempty"`
	FromUserID string `json:"fromUserId,omitempty"`
	DataType   string `json:"dataType"`
}

// tail encodes m with its data, which must be JSON, without its opening brace, so that a sequenceId can be put in front.
func (m message) tail(data json.RawMessage) ([]byte, error) {
	if !json.Valid(data) {
		return nil, errors.New("realtime: the data of a message is not JSON")
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("realtime: encode message: %w", err)
	}
	b = append(b[1:len(b)-1], `,"data":`...)
	return append(append(b, data...), '}'), nil
}

// appendMessage appends the text frame of a message made of plain strings and numbers.
func appendMessage(b []byte, m any) []byte {
	payload, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprintf("realtime: encode %T: %v", m, err))
	}
	return appendFrame(b, opText, payload)
}
