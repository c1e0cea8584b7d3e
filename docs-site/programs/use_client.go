package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"booking/clinicapi"
)

func main() {
	config := clinicapi.NewConfiguration()
	config.Servers = clinicapi.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	api := clinicapi.NewAPIClient(config).AppointmentsAPI
	ctx := context.WithValue(context.Background(), clinicapi.ContextAccessToken, os.Getenv("API_KEY"))
	startsAt, err := time.Parse(time.RFC3339, os.Getenv("STARTS_AT"))
	check(err)

	wanted := clinicapi.NewBookAppointmentRequest(os.Getenv("PROFESSIONAL_ID"), "Ana Martins", "+351912345678", startsAt)
	wanted.SetServiceTypeId(os.Getenv("SERVICE_ID"))
	booked, _, err := api.BookAppointment(ctx).BookAppointmentRequest(*wanted).IdempotencyKey(rand.Text()).Execute()
	check(err)
	read, _, err := api.GetAppointment(ctx, booked.Id).Execute()
	check(err)
	page, _, err := api.ListAppointments(ctx).From(startsAt).Limit(10).Execute()
	check(err)
	listed := []string{}
	for _, item := range page.Items {
		listed = append(listed, item.Id)
	}

	// As a receiver gets it: the header X-Service-Signature, and the body as it arrived.
	body := []byte(os.Getenv("RAW_BODY"))
	if !isGenuine(os.Getenv("SIGNATURE"), body, os.Getenv("WEBHOOK_SECRET")) {
		panic("not from the service")
	}
	var event clinicapi.ReceivedEvent
	check(json.Unmarshal(body, &event))
	told := "another event"
	if created := event.AppointmentCreatedEvent; created != nil {
		told = created.Data.Appointment.Id
	}

	output, err := json.Marshal(map[string]any{
		"booked": booked.Id, "status": read.Status, "listed": listed, "told": told,
	})
	check(err)
	fmt.Println(string(output))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
